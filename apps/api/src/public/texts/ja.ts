import type { PageTexts } from './texts.ts';

export const ja: PageTexts = {
  unsubscribe: {
    title: '{project} の配信を停止しますか？',
    lead: '{email} へのお知らせやご案内の送信を停止します。',
    button: '配信を停止する',
  },
  subscribe: {
    title: '{project} の配信に登録しますか？',
    lead: '{email} にお知らせやご案内をお送りします。',
    button: '登録する',
  },
  snooze: {
    title: 'しばらく休止する',
    lead: '選んだ期間はメールをお送りしません。期間が過ぎると自動的に再開します。',
    '2w': '2週間',
    '1m': '1か月',
    '6m': '6か月',
    '1y': '1年',
  },
  manage: {
    title: 'メール配信の設定',
    lead: '{project} から {email} への配信を選択してください。',
    link: 'すべての選択肢を見る',
  },
  state: {
    subscribed: '配信に登録されています。',
    unsubscribed: '配信は停止されています。',
    snoozed: '{date}まで配信を休止しています。',
  },
  done: {
    subscribed: '{project} からのメールを再び {email} にお送りします。',
    unsubscribed:
      '{email} へのお知らせやご案内の送信を停止しました。ご注文やアカウントに関する大切なメールは引き続き届くことがあります。',
    changedMind: '配信を再開しますか？',
  },
  test: 'これはテストメールのリンクです。設定は変更されません。',
  notFound: {
    title: 'このリンクは使用できません',
    text: 'リンクが途中で切れているか、すでに無効になっています。最近届いたメールのリンクをご利用ください。',
  },
  blocked: {
    title: 'このリンクは無効になりました',
    text: 'このリンクを含むメールは詐欺の疑いがあると報告されています。それらのメールから開いたページでは、パスワードやお支払い情報を入力しないでください。',
  },
  badChoice: {
    title: '選択内容を確認できませんでした',
    text: '設定は変更されていません。もう一度選択してください。',
  },
  failure: {
    title: '問題が発生しました',
    text: '当方の不具合です。しばらくしてからもう一度お試しください。',
  },
};
