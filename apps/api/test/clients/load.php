<?php
// Loads every class of the client that openapi-generator made for PHP.

require 'GuzzleHttp/autoload.php';

spl_autoload_register(function (string $class): void {
    $file = 'generated/lib/' . str_replace('\\', '/', substr($class, strlen('OpenAPI\\Client\\'))) . '.php';
    if (is_file($file)) {
        require_once $file;
    }
});
$count = 0;
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('generated/lib')) as $file) {
    if ($file->getExtension() === 'php') {
        require_once $file->getPathname();
        $count += 1;
    }
}
if ($count < 100) {
    throw new RuntimeException("only $count files");
}
