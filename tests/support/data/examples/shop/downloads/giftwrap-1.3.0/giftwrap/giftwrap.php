<?php

if (!defined('_PS_VERSION_')) {
    exit;
}

class Giftwrap extends Module
{
    public function __construct()
    {
        $this->name = 'giftwrap';
        $this->tab = 'front_office_features';
        $this->version = '1.3.0';
        $this->author = 'Kettle Works';
        $this->ps_versions_compliancy = ['min' => '8.0.0', 'max' => _PS_VERSION_];
        parent::__construct();
        $this->displayName = $this->trans('Gift wrapping', [], 'Modules.Giftwrap.Admin');
        $this->description = $this->trans('Offers gift wrapping on the product page.', [], 'Modules.Giftwrap.Admin');
    }

    public function install()
    {
        return parent::install() && $this->registerHook('displayProductAdditionalInfo') && $this->registerHook('displayCartModalContent');
    }

    public function hookDisplayProductAdditionalInfo($params)
    {
        return $this->fetch('module:giftwrap/views/templates/hook/giftwrap.tpl');
    }
}
