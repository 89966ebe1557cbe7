<nav class="teahouse-menu">
  {foreach $categories as $category}
    <a href="{$category.url}">{$category.name}</a>
  {/foreach}
</nav>
