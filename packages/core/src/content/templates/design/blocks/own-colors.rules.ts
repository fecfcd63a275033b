/** The HTML of blocks on a ground whose colour is the same in dark mode, so that their texts keep theirs too. */
export const withOwnColors = (html: string): string =>
  html.replaceAll(/class="(?:text|link|quiet|line)( [\w-]+)?"/g, 'class="in-panel$1"');
