<?php

function upgrade_module_1_3_0($module)
{
    return $module->registerHook('displayCartModalContent');
}
