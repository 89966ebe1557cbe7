<?php
require 'loaded.php';
require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php'; require_once ABSPATH . 'wp-admin/includes/file.php';
$upgrader = new Plugin_Upgrader(new Automatic_Upgrader_Skin());
echo json_encode($upgrader->install($argv[1], ['overwrite_package' => true]));
