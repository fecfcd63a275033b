import {
  createBlock,
  deleteBlock,
  getBlock,
  listBlocks,
  updateBlock,
} from '@postrider/core/content/templates';
import { asMutation, asQuery, t } from './trpc.ts';

export const blocksRouter = t.router({
  list: asQuery(listBlocks),
  get: asQuery(getBlock),
  create: asMutation(createBlock),
  update: asMutation(updateBlock),
  delete: asMutation(deleteBlock),
});
