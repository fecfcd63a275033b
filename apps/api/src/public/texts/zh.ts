import type { PageTexts } from './texts.ts';

export const zh: PageTexts = {
  unsubscribe: {
    title: '要退订 {project} 吗？',
    lead: '我们将不再向 {email} 发送资讯和优惠邮件。',
    button: '退订',
  },
  subscribe: {
    title: '要订阅 {project} 吗？',
    lead: '您将在 {email} 收到资讯和优惠邮件。',
    button: '订阅',
  },
  snooze: {
    title: '暂停一段时间',
    lead: '在此期间您不会收到邮件，期满后将自动恢复。',
    '2w': '2 周',
    '1m': '1 个月',
    '6m': '6 个月',
    '1y': '1 年',
  },
  manage: {
    title: '邮件偏好设置',
    lead: '选择 {project} 向 {email} 发送哪些邮件。',
    link: '查看所有选项',
  },
  state: {
    subscribed: '您已订阅。',
    unsubscribed: '您已退订。',
    snoozed: '邮件已暂停至 {date}。',
  },
  done: {
    subscribed: '您将重新在 {email} 收到 {project} 的邮件。',
    unsubscribed: '我们不会再向 {email} 发送资讯和优惠邮件。您仍可能收到与订单或账户有关的邮件。',
    changedMind: '改变主意了？',
  },
  test: '此链接来自测试邮件，不会更改任何设置。',
  notMe: {
    title: '这个账户不是您的吗？',
    lead: '有人使用 {email} 在 {host} 注册。如果不是您本人，我们会将此地址从该账户中移除，停用其项目，并不再向您发送任何邮件。',
    button: '不是我',
    done: '{email} 已不再属于该账户，其项目已停用。',
  },
  notFound: {
    title: '此链接无法使用',
    text: '链接可能不完整或已失效。请使用您最近收到的邮件中的链接。',
  },
  blocked: {
    title: '此链接已被停用',
    text: '包含此链接的邮件已被举报为欺诈。请勿在这些邮件所指向的页面上输入密码或付款信息。',
  },
  badChoice: {
    title: '无法识别您的选择',
    text: '未作任何更改，请重新选择。',
  },
  failure: {
    title: '出现问题',
    text: '这是我们的错误，请稍后再试。',
  },
};
