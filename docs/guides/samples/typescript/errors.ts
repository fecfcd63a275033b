import { ApiError, ConnectionError, Postrider, RateLimitError, ValidationError } from '@postrider/sdk';

// Retries what may succeed: 429 after the time that the API names, 5xx and lost connections with the same key.
const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY ?? '',
  baseUrl: process.env.POSTRIDER_URL ?? '',
  maxRetries: 4,
});

try {
  await postrider.send({
    to: 'nobody',
    from: 'Demo <hello@mail.demo.example>',
    subject: 'Hello',
    body: '<p>Hello</p>',
  });
} catch (error) {
  if (error instanceof ValidationError) {
    for (const { field, code, message } of error.errors) console.log(error.code, field, code, message);
  } else if (error instanceof RateLimitError || error instanceof ConnectionError) {
    console.log('Try again later', error.message);
  } else if (error instanceof ApiError) {
    console.log(error.code, error.message, error.suggestion, error.requestId);
  } else {
    throw error;
  }
}
