<?php
define('WP_INSTALLING', true); $_SERVER['HTTP_HOST'] = 'shop.test'; require 'wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Shop', 'admin', 'admin@shop.test', true, '', 'secret'); echo json_encode(true);
