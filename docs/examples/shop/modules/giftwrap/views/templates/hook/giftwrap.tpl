<div class="giftwrap">
  {* Changed by this shop: it wraps every order for nothing. *}
  {l s='We wrap your tea as a gift, for free' d='Modules.Giftwrap.Shop'}
</div>
