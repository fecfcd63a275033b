import {
  createBlock,
  deleteBlock,
  getBlock,
  listBlocks,
  updateBlock,
} from '@postrider/core/content/templates';
import { deletionField, mutationField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const SavedBlock = objectFromZod(getBlock.output);

recordField('savedBlock', getBlock, SavedBlock);
connectionField('savedBlocks', listBlocks, SavedBlock, ({ createdAt }) => createdAt);
mutationField('createSavedBlock', createBlock, SavedBlock);
mutationField('updateSavedBlock', updateBlock, SavedBlock);
deletionField('deleteSavedBlock', deleteBlock);
