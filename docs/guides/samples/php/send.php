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
    'to' => getenv('TO'),
    'from' => 'Demo <hello@mail.demo.example>',
    'subject' => 'Your order is on its way',
    'body' => '<p>Hello Ann, order 1001 left our warehouse today.</p>',
]);
foreach ($reply['data']['emails'] as $email) {
    echo "{$email['email']} {$email['to']} {$email['status']}\n";
}
