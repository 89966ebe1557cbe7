#!/bin/sh
# Put the styles of this shop into the file that PrestaShop loads after those of the theme.
set -eu
styles=$(dirname "$0")/../styles
custom=themes/$TOOL_HOOK_THEME/assets/css/custom.css
cat "$styles"/*.css > "$custom"
echo "wrote $custom"
