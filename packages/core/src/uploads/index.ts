export { servedImage } from './served-image.ts';
export { imageTooLarge, uploadImage } from './upload-image.ts';
export { imageLimitBytes } from './uploads.schema.ts';
