<?php

/** Retries what may succeed, with one key, so that a lost answer never sends twice. */
function send(array $email, int $attempts = 5): array
{
    $key = bin2hex(random_bytes(16));
    for ($attempt = 0; ; $attempt++) {
        $retryAfter = 0;
        $curl = curl_init(getenv('POSTRIDER_URL') . '/v1/send');
        curl_setopt_array($curl, [
            CURLOPT_POSTFIELDS => json_encode($email),
            CURLOPT_HTTPHEADER => [
                'Authorization: Bearer ' . getenv('POSTRIDER_API_KEY'),
                'Content-Type: application/json',
                'Idempotency-Key: ' . $key,
            ],
            CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$retryAfter): int {
                if (preg_match('/^retry-after: *(\d+)/i', $line, $match)) {
                    $retryAfter = (int) $match[1];
                }
                return strlen($line);
            },
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
        ]);
        $text = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $mayHelp = $text === false || in_array($status, [429, 500, 502, 503, 504], true);
        if (!$mayHelp) {
            return json_decode($text, true);
        }
        if ($attempt + 1 === $attempts) {
            throw new RuntimeException($text === false ? curl_error($curl) : "The API answered $status");
        }
        sleep($retryAfter ?: 2 ** $attempt);
    }
}

$reply = send([
    'to' => 'nobody',
    'from' => 'Demo <hello@mail.demo.example>',
    'subject' => 'Hello',
    'body' => '<p>Hello</p>',
]);
$error = $reply['error'] ?? null;
if ($error === null) {
    echo "accepted\n";
} elseif ($error['code'] === 'VALIDATION_ERROR') {
    foreach ($error['errors'] as $problem) {
        echo "{$error['code']} {$problem['field']} {$problem['code']} {$problem['message']}\n";
    }
} elseif ($error['code'] === 'IDEMPOTENCY_KEY_REUSED') {
    echo "accepted by an earlier attempt\n";
} else {
    echo "{$error['code']} {$error['message']} {$error['suggestion']} {$error['requestId']}\n";
}
