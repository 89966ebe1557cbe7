<?php
define('DB_NAME', 'shop'); define('DB_USER', 'root'); define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:@socket@');
define('DB_CHARSET', 'utf8mb4'); define('FS_METHOD', 'direct'); define('WP_HTTP_BLOCK_EXTERNAL', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
