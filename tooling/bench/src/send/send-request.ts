/** An HTML body of about 4 kB with a variable, like the receipt of a shop. */
export const receiptBody = `<html><body><h1>Thank you, {{name ?? friend}}</h1>${Array.from(
  { length: 18 },
  (_, line) =>
    `<p>Position ${line + 1}: one thing of the best quality, packed with care, which we hope you will like for many years to come. ` +
    `<a href="https://example.com/orders/${line + 1}">Details of this position</a></p>`,
).join('\n')}</body></html>`;

let sent = 0;

/** A request to one address that was not used before. */
export function nextSendRequest(run: string, from: string): string {
  sent += 1;
  return JSON.stringify({
    to: `${run}-${sent}@people.test`,
    from,
    subject: 'Your order, {{name ?? friend}}',
    body: receiptBody,
    data: { name: `Person ${sent}` },
  });
}
