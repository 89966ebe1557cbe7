<header class="teahouse-header">
  <a href="{$urls.base_url}">{$shop.name}</a>
  {hook h='displayTop'}
</header>
