{* The theme's own look for the module giftwrap. *}
<p class="teahouse-giftwrap">{l s='We wrap this as a gift' d='Modules.Giftwrap.Shop'}</p>
