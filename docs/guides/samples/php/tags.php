<?php

function call(string $method, string $path, ?array $body = null): array
{
    $curl = curl_init(getenv('POSTRIDER_URL') . $path);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_POSTFIELDS => $body === null ? null : json_encode($body),
        CURLOPT_HTTPHEADER => [
            'Authorization: Bearer ' . getenv('POSTRIDER_API_KEY'),
            'Content-Type: application/json',
        ],
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $text = curl_exec($curl);
    if ($text === false) {
        throw new RuntimeException(curl_error($curl));
    }
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($status >= 400) {
        throw new RuntimeException($text, $status);
    }
    return $text === '' ? [] : json_decode($text, true);
}

$to = getenv('TO');
call('POST', '/v1/send', [
    'to' => $to,
    'from' => 'Demo <hello@mail.demo.example>',
    'subject' => 'Receipt for order 1001',
    'body' => '<p>Thank you for your order.</p>',
    'tags' => ['receipt'],
    'metadata' => ['orderId' => 1001],
]);

$query = http_build_query(['recipient' => $to, 'tag' => 'receipt', 'metadata' => 'orderId:1001']);
foreach (call('GET', "/emails?$query")['data'] as $email) {
    echo $email['id'], ' ', json_encode($email['tags']), ' ', json_encode($email['metadata']), "\n";
}
