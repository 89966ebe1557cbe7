<?php

namespace Drupal\tide_tables\Controller;

use Drupal\Core\Controller\ControllerBase;

class TideController extends ControllerBase {

  public function page(): array {
    return [
      '#theme' => 'table',
      '#header' => [$this->t('Time'), $this->t('Height')],
      '#empty' => $this->t('No tides today'),
    ];
  }

}
