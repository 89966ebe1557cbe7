<?php

if (!defined('_PS_VERSION_')) {
    exit;
}

require_once __DIR__ . '/classes/LoyaltyBalance.php';

class Loyaltypoints extends Module
{
    public function __construct()
    {
        $this->name = 'loyaltypoints';
        $this->tab = 'pricing_promotion';
        $this->version = '2.3.0';
        $this->author = 'Kettle Works';
        parent::__construct();
        $this->displayName = $this->trans('Loyalty points', [], 'Modules.Loyaltypoints.Admin');
    }

    public function install()
    {
        return parent::install() && $this->registerHook('actionValidateOrder');
    }

    public function hookActionValidateOrder($params)
    {
        LoyaltyBalance::add($params['customer']->id, (int) floor($params['order']->total_paid));
    }
}
