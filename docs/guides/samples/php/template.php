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

$reply = call('POST', '/v1/send', [
    'to' => ['email' => getenv('TO'), 'name' => 'Ann'],
    'template' => 'receipt',
    'strictVariables' => true,
    'data' => [
        'order' => ['value' => '1001', 'persistent' => false],
        'total' => ['value' => '12.00 EUR', 'persistent' => false],
    ],
]);
echo $reply['data']['emails'][0]['email'], "\n";
