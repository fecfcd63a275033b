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

$receipt = [
    'name' => 'Receipt',
    'type' => 'TRANSACTIONAL',
    'from' => 'Demo <hello@mail.demo.example>',
    'subject' => 'Receipt for order {{order}}',
    'body' => '<p>Hello {{name ?? there}},</p><p>You paid {{total}} for order {{order}}.</p>',
];

try {
    call('PATCH', '/templates/receipt', $receipt);
    echo "updated\n";
} catch (RuntimeException $error) {
    if ($error->getCode() !== 404) {
        throw $error;
    }
    call('POST', '/templates', ['alias' => 'receipt'] + $receipt);
    echo "created\n";
}
