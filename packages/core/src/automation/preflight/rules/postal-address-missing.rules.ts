import { hasAddressBlock } from '../../../content/templates/has-address-block.rules.ts';
import { defineRule } from '../rule.rules.ts';

/** Laws such as CAN-SPAM (15 U.S.C. 7704(a)(5)) require the postal address of the sender in marketing email. */
export const postalAddressMissingRule = defineRule({
  name: 'postal_address_missing',
  level: 'error',
  needs: ['content', 'address'],
  check: ({ content: { type, design }, address }) =>
    type === 'TRANSACTIONAL' || (address ?? '') !== '' || hasAddressBlock(design)
      ? []
      : [
          {
            field: null,
            message:
              'Many countries require a postal address in marketing email; enter one under Brand in the settings of the project, or add an address to the design.',
          },
        ],
});
