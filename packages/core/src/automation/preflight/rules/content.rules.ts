import { defineContentRule, defineRule } from '../rule.rules.ts';

/** Links that lead nowhere, that no program opens, and that are incomplete. */
export const linkTargetRule = defineContentRule({ name: 'link_target', level: 'error' });
/** Links to hosts that stand for others, such as example.com. */
export const placeholderRule = defineContentRule({ name: 'placeholder', level: 'warning' });
export const shortenedLinkRule = defineContentRule({ name: 'shortened_link', level: 'warning' });
/** Links whose words are the address of another host. */
export const linkTextHostRule = defineContentRule({ name: 'link_text_host', level: 'warning' });
export const linkTextRule = defineContentRule({ name: 'link_text', level: 'warning' });

/** Images without a source, or with one that is incomplete. */
export const imageSourceRule = defineContentRule({ name: 'image_source', level: 'error' });
/** Images in the HTML itself, which many programs do not show. */
export const imageEmbeddedRule = defineContentRule({ name: 'image_embedded', level: 'warning' });
export const imageTextRule = defineContentRule({ name: 'image_text', level: 'warning' });
export const imageWidthRule = defineContentRule({ name: 'image_width', level: 'hint' });

/** Nothing to read. */
export const emptyRule = defineContentRule({ name: 'empty', level: 'error' });
export const subjectMissingRule = defineContentRule({ name: 'subject_missing', level: 'error' });
export const subjectStyleRule = defineContentRule({ name: 'subject_style', level: 'warning' });
export const preheaderMissingRule = defineContentRule({ name: 'preheader_missing', level: 'hint' });
export const littleTextRule = defineContentRule({ name: 'little_text', level: 'warning' });
/** More than Gmail shows. */
export const tooLargeRule = defineContentRule({ name: 'too_large', level: 'warning' });

/** Names that no contact has; with a fallback they are a warning. */
export const unknownVariableRule = defineContentRule({ name: 'unknown_variable', level: 'error' });
/** Names that few contacts have, beside one of the same likeness that more have. */
export const mistakenVariableRule = defineContentRule({ name: 'mistaken_variable', level: 'warning' });
export const variableFallbackRule = defineContentRule({ name: 'variable_fallback', level: 'hint' });

/** Nothing is known of its links, images and variables. */
export const uncheckedRule = defineRule({
  name: 'unchecked',
  level: 'error',
  needs: ['reading'],
  check: ({ reading: { isUnread } }) =>
    isUnread
      ? [
          {
            field: 'body',
            message:
              'The email takes too long to check: its links, images and variables are not checked; shorten it.',
          },
        ]
      : [],
});
