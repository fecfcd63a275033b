import { NotFoundError, Postrider } from '@postrider/sdk';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY ?? '',
  baseUrl: process.env.POSTRIDER_URL ?? '',
});

const receipt = {
  name: 'Receipt',
  type: 'TRANSACTIONAL',
  from: 'Demo <hello@mail.demo.example>',
  subject: 'Receipt for order {{order}}',
  body: '<p>Hello {{name ?? there}},</p><p>You paid {{total}} for order {{order}}.</p>',
} as const;

try {
  await postrider.templates.update({ id: 'receipt', ...receipt });
  console.log('updated');
} catch (error) {
  if (!(error instanceof NotFoundError)) throw error;
  await postrider.templates.create({ alias: 'receipt', ...receipt });
  console.log('created');
}
