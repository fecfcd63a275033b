import type { Postrider, SendResult } from '@postrider/sdk';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/**
 * An email written in React. Components of React Email (`@react-email/components`) are React components as well: use them in
 * place of these elements, and its `render` in place of `renderToStaticMarkup`.
 *
 * Text of Postrider's template language, such as `{{name}}`, is filled in per recipient when it is sent.
 */
export function Receipt({ order, total }: { order: string; total: string }): ReactElement {
  return (
    <html lang="en">
      <body style={{ fontFamily: 'sans-serif' }}>
        <p>{'Hello {{name ?? there}},'}</p>
        <p>
          your order <strong>{order}</strong> of {total} is on its way.
        </p>
      </body>
    </html>
  );
}

export async function sendReceipt(
  postrider: Postrider,
  { from, to, order, total }: { from: string; to: string; order: string; total: string },
): Promise<SendResult> {
  const body = `<!doctype html>${renderToStaticMarkup(<Receipt order={order} total={total} />)}`;
  return postrider.send(
    { from, to, subject: `Your order ${order}`, body },
    { idempotencyKey: `receipt-${order}` },
  );
}
