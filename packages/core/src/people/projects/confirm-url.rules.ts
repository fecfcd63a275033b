/** Whether the texts of a template have the link by which a subscription is confirmed: each part that will be read, the plain text if there is one. */
export const holdsConfirmUrl = ({ body, text }: { body: string; text: string | null }): boolean =>
  outputs(body) && (text === null || outputs(text));

/** Whether a text writes `confirmUrl`. Parts between `{{` are looked at once each, so it takes time in proportion to the text. */
const outputs = (source: string): boolean =>
  source
    .split('{{')
    .slice(1)
    .some((part) => {
      const end = part.indexOf('}}');
      return end >= 0 && /(?:^|[^\w.])confirmUrl(?:$|[^\w.])/.test(part.slice(0, end));
    });
