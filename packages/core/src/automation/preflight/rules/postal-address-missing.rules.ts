import { hasAddressBlock } from '../../../content/templates/has-address-block.rules.ts';
import { defineRule } from '../rule.rules.ts';
import { ofVariant } from './of-variant.rules.ts';

/** Laws such as CAN-SPAM (15 U.S.C. 7704(a)(5)) require the postal address of the sender in marketing email. */
export const postalAddressMissingRule = defineRule({
  name: 'postal_address_missing',
  level: 'error',
  needs: ['content', 'address'],
  check({ content: { type, design, variants = [] }, address }) {
    if (type === 'TRANSACTIONAL' || (address ?? '') !== '') return [];
    return [
      ...(hasAddressBlock(design) ? [] : [{ field: null, message: missing }]),
      ...variants
        .filter((variant) => !hasAddressBlock(variant.design))
        .map((variant) => ofVariant(variant, missing)),
    ];
  },
});

const missing =
  'Many countries require a postal address in marketing email; enter one under Brand in the settings of the project, or add an address to the design.';
