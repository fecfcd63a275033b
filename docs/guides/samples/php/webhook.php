<?php

// php -S 127.0.0.1:4000 webhook.php

/** The event of a request that Postrider signed within the last 5 minutes; null for any other. */
function verify(string $body, string $secret): ?array
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return null;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // While the secret is replaced there are two signatures, separated by a blank.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return json_decode($body, true);
        }
    }
    return null;
}

// The secret of the endpoint: whsec_…
$event = verify(file_get_contents('php://input'), getenv('WEBHOOK_SECRET'));
if ($event === null) {
    http_response_code(400);
    exit;
}
error_log("{$event['kind']} {$_SERVER['HTTP_WEBHOOK_ID']}");
http_response_code(204);
