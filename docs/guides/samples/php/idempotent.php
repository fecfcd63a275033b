<?php

/** The emails of this request, whether it is accepted now or was accepted before. */
function sendOnce(array $email, string $key): array
{
    $curl = curl_init(getenv('POSTRIDER_URL') . '/v1/send');
    curl_setopt_array($curl, [
        CURLOPT_POSTFIELDS => json_encode($email),
        CURLOPT_HTTPHEADER => [
            'Authorization: Bearer ' . getenv('POSTRIDER_API_KEY'),
            'Content-Type: application/json',
            'Idempotency-Key: ' . $key,
        ],
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $text = curl_exec($curl);
    if ($text === false) {
        throw new RuntimeException(curl_error($curl));
    }
    $reply = json_decode($text, true);
    if (($reply['error']['code'] ?? null) === 'IDEMPOTENCY_KEY_REUSED') {
        return $reply['error']['details']['emails'];
    }
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 400) {
        throw new RuntimeException($text);
    }
    return $reply['data']['emails'];
}

$to = getenv('TO');
$welcome = [
    'to' => $to,
    'from' => 'Demo <hello@mail.demo.example>',
    'subject' => 'Welcome',
    'body' => '<p>Good to have you here.</p>',
];
$first = sendOnce($welcome, "welcome/$to");
// The job runs again, perhaps on another machine: nothing is sent, and the result is the first one.
$second = sendOnce($welcome, "welcome/$to");
echo "{$first[0]['email']} {$second[0]['email']}\n";
