<?php
require 'loaded.php';
foreach (get_plugins() as $file => $each) activate_plugin($file);
echo json_encode(true);
