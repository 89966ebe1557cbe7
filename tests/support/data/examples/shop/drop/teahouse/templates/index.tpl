{extends file='page.tpl'}

{block name='page_content'}
  {$HOOK_HOME nofilter}
{/block}
