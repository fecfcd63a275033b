export { notificationOutput, receiveNotification } from './receive-notification.ts';
