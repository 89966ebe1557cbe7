<?php
$_SERVER['HTTP_HOST'] = 'shop.test'; require 'wp-load.php'; require_once ABSPATH . 'wp-admin/includes/plugin.php';
