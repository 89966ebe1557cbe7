<?php

class Teahouse_Menu extends Module
{
    public function __construct()
    {
        $this->name = 'teahouse_menu';
        $this->tab = 'front_office_features';
        $this->version = '0.9.0';
        $this->author = 'The shop itself';
        parent::__construct();
        $this->displayName = 'Menu of the tea house';
    }

    public function hookDisplayTop()
    {
        return $this->fetch('module:teahouse_menu/views/templates/hook/menu.tpl');
    }
}
