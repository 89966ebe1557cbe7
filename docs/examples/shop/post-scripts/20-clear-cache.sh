#!/bin/sh
# Let PrestaShop compile its templates anew.
set -eu
rm -rf var/cache/*
