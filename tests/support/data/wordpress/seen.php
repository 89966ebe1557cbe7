<?php
require 'loaded.php';
$seen = [];
foreach (get_plugins() as $file => $each) $seen[$file] = [$each['Version'], is_plugin_active($file)];
$theme = wp_get_theme('harbour'); $seen['harbour'] = [$theme->get('Version'), $theme->exists()];
echo json_encode($seen);
