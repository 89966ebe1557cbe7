<div class="giftwrap">
  {l s='Gift wrapping available' d='Modules.Giftwrap.Shop'}
</div>
