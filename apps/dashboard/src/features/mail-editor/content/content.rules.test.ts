import { describe, expect, it } from 'vitest';
import { blankContent, templateTexts } from './content.rules.ts';
import { withNamesOf } from './sample.rules.ts';

describe('the sample values of an email', () => {
  it('include the variables of the subject, the preheader, the body and the plain text', () => {
    const content = {
      ...blankContent('sender@example.com', 'MARKETING'),
      subject: 'For {{name}}',
      preheader: 'Your {{plan}} plan',
      body: '<p>{{city}}</p>',
      text: '{{street}}',
    };
    expect(JSON.parse(withNamesOf('', templateTexts(content)))).toEqual({
      name: 'Ada',
      plan: 'Example plan',
      city: 'Example city',
      street: 'Example street',
    });
  });
});
