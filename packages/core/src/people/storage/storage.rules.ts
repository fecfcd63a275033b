/** The reason of jobs and emails that are not written because the storage limit of the owner is reached (behaviour B8.7). */
export const storageReason = 'storage limit exceeded';
