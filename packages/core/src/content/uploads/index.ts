export { deleteUpload } from './delete-upload.ts';
export { isUpload } from './is-upload.ts';
export { listUploads } from './list-uploads.ts';
export { servedImage } from './served-image.ts';
export { imageTooLarge, uploadImage } from './upload-image.ts';
export { imageLimitBytes } from './uploads.schema.ts';
