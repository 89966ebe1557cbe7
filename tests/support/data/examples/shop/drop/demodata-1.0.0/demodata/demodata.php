<?php

class Demodata extends Module
{
    public function __construct()
    {
        $this->name = 'demodata';
        $this->version = '1.0.0';
        $this->author = 'Kettle Works';
        parent::__construct();
        $this->displayName = 'Twenty teas and five customers, to try things with';
    }
}
