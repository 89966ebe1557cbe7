<?php

class LoyaltyBalance extends ObjectModel
{
    public $id_customer;
    public $points;

    public static $definition = [
        'table' => 'loyalty_balance',
        'primary' => 'id_loyalty_balance',
        'fields' => [
            'id_customer' => ['type' => self::TYPE_INT, 'required' => true],
            'points' => ['type' => self::TYPE_INT],
        ],
    ];

    public static function add($customer, $points)
    {
        Db::getInstance()->execute(
            'UPDATE ' . _DB_PREFIX_ . 'loyalty_balance SET points = points + ' . (int) $points
            . ' WHERE id_customer = ' . (int) $customer
        );
    }
}
