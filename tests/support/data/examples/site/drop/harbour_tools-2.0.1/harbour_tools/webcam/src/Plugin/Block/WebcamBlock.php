<?php

namespace Drupal\webcam\Plugin\Block;

use Drupal\Core\Block\BlockBase;

/**
 * @Block(id = "webcam", admin_label = @Translation("Webcam"))
 */
class WebcamBlock extends BlockBase {

  public function build(): array {
    return ['#markup' => '<img src="/webcam.jpg" alt="">'];
  }

}
