/** A newsletter of about 3 kB of HTML with three tracked links, a name and an unsubscribe link; about 4 kB on the wire with its text part. */
export const newsletterSubject = 'News for {{name ?? you}}';

const paragraph =
  'What we made this month was made with care, and we would like to tell you how it came about, who had the idea, and what comes next.';

export const newsletterBody = `<html><body><h1>Hello {{name ?? reader}}</h1>
${[1, 2, 3]
  .map(
    (part) =>
      `<h2>Part ${part}</h2>\n${`<p>${paragraph}</p>\n`.repeat(3)}<p><a href="https://example.com/news/${part}">Read part ${part}</a></p>`,
  )
  .join('\n')}
<p>Your plan is {{plan}}. <a href="{{unsubscribeUrl}}">Unsubscribe</a></p></body></html>`;
