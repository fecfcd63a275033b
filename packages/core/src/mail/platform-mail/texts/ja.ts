import { failureLines, type MailTexts, megabytesIn } from './texts.ts';

const megabytes = megabytesIn('ja');

const disabledReasons = {
  PAYMENT_FAILED:
    'お支払いを処理できませんでした。未払いの請求書をお支払いいただくと、プロジェクトは再び有効になります。',
  EMAIL_REPUTATION:
    '多数のメールが配信不能になったか、迷惑メールとして報告されました。古いアドレスを削除し、すべての受信者がメールの受信に同意していることをご確認ください。',
  PHISHING_DETECTED: 'このプロジェクトのメールがフィッシングとして報告されました。',
  MANUAL: 'このシステムの管理者が無効にしました。',
};

const endpointReasons = {
  GONE: 'ステータス 410（Gone）が返されました。このエンドポイントはイベントを受け付けていません。',
  FAILING: '5日間、このエンドポイントへのリクエストが一度も成功していません。',
};

const guardReasons = {
  guard_bounces: 'バウンスしたメールが多すぎます。リストに存在しないアドレスが含まれています。',
  guard_complaints: '迷惑メールとして報告されたメールが多すぎます。',
  guard_unsubscribes: '配信を停止した受信者が多すぎます。',
  forgotten: 'それから 7 日が経ちましたが、まだ再開されていません。',
};

export const ja: MailTexts = {
  findingFailed: ({ check, found, cause, action }) => ({
    subject: `インストールの確認に失敗しました：${check}`,
    paragraphs: [found, cause, action].filter((text) => text !== ''),
    button: 'Postrider を開く',
    note: 'このメールは確認ごとに 1 日 1 回まで送信されます。',
  }),
  copyLink: 'または、次のアドレスをブラウザにコピーしてください：',
  verification: () => ({
    subject: 'メールアドレスを確認してください',
    paragraphs: [
      'Postrider アカウントの設定を完了するには、このメールアドレスがご本人のものであることを確認してください。',
    ],
    button: 'メールアドレスを確認する',
    note: 'このリンクは24時間有効です。登録した覚えがない場合は、このメールを無視してください。',
  }),
  passwordReset: () => ({
    subject: 'パスワードの再設定',
    paragraphs: ['Postrider アカウントのパスワードの再設定が申し込まれました。'],
    button: '新しいパスワードを設定する',
    note: 'このリンクは1時間有効です。お心当たりがない場合は、このメールを無視してください。パスワードは変更されません。',
  }),
  accountDeletion: () => ({
    subject: 'Postrider アカウントの削除',
    paragraphs: [
      'Postrider アカウントで、そのアカウントの削除が申し込まれました。',
      'ログインしているブラウザーでリンクを開き、そこで確定してください。削除したアカウントは元に戻せません。',
    ],
    button: 'アカウントを削除する',
    note: 'このリンクは1時間有効です。お心当たりがない場合は、このメールを無視し、見覚えのないセッションを終了してください。アカウントは変更されません。',
  }),
  invitation: ({ project, inviter }) => {
    const named = project === null ? 'プロジェクト' : `プロジェクト「${project}」`;
    return {
      subject: `${named}への招待`,
      paragraphs: [`${inviter} さんから Postrider の${named}に招待されました。`],
      button: '招待を承諾する',
      note: 'この招待は7日間、このメールアドレスに限り有効です。',
    };
  },
  projectDisabled: ({ project, reason }) => ({
    subject: `${project} が無効になりました`,
    paragraphs: [
      `プロジェクト「${project}」からのメール送信は停止されました。予約済みのキャンペーンと実行中のワークフローは終了しました。`,
      disabledReasons[reason],
    ],
    button: 'プロジェクトを開く',
  }),
  projectEnabled: ({ project }) => ({
    subject: `${project} が再び有効になりました`,
    paragraphs: [
      `プロジェクト「${project}」から再びメールを送信できます。終了したキャンペーンとワークフローは再開されません。`,
    ],
    button: 'プロジェクトを開く',
  }),
  domainVerified: ({ domain }) => ({
    subject: `${domain} の認証が完了しました`,
    paragraphs: [
      `${domain} の DNS レコードが確認されました。このドメインのアドレスからメールを送信できます。`,
    ],
    button: 'ドメインを開く',
  }),
  domainLost: ({ domain }) => ({
    subject: `${domain} の認証が無効になりました`,
    paragraphs: [
      `${domain} の DNS レコードが3回続けて確認できませんでした。レコードが復旧するまで、このドメインからのメールは拒否されます。`,
    ],
    button: 'ドメインを開く',
  }),
  domainAddedElsewhere: ({ domain }) => ({
    subject: `${domain} が別のプロジェクトに追加されました`,
    paragraphs: [
      `このプロジェクトのオーナーまたは管理者が、${domain} を別のプロジェクトに追加しました。そのプロジェクト用の DNS レコードが確認されると、そこからもこのドメインで送信できるようになります。`,
      'お心当たりがない場合は、このプロジェクトのメンバーをご確認ください。',
    ],
    button: 'ドメインを開く',
  }),
  endpointDisabled: ({ project, url, reason }) => ({
    subject: `${project} の Webhook エンドポイントが無効になりました`,
    paragraphs: [
      url,
      endpointReasons[reason],
      'このエンドポイントへのイベントは今後キューに追加されません。保留中の配信は、エンドポイントが再び有効になるまで待機します。',
    ],
    button: 'Webhook を開く',
  }),
  renderLimit: ({ subject, isThird }) => ({
    subject: 'プロジェクトのメールの生成に時間がかかりすぎています',
    paragraphs: [
      `件名「${subject}」のメールの生成に、1通あたりの上限を超える時間またはメモリが必要でした。`,
      'メールは送信されますが、変数だけが置き換えられ、繰り返しや条件などのタグと、フィルターを使った出力は省かれます。完全な内容で送信するには、テンプレートを簡単にしてください。',
      ...(isThird
        ? [
            '1時間以内に、お使いのプロジェクトの3通のメールがこの上限に達しました。今後1時間は、新しいメールのタグとフィルターも、生成を試みずに省かれます。',
          ]
        : []),
    ],
    button: 'メールを開く',
  }),
  requestsUnconfirmed: ({ project }) => ({
    subject: `${project} の登録の受け付けを停止しています`,
    paragraphs: [
      `本日、${project} の配信を希望するかどうかをメールで尋ねられたまま確認していない方が多いため、現在は新しい登録を受け付けていません。`,
      '多くの場合、他人のアドレスをフォームに入力するプログラムが原因です。確認が進むか1日が過ぎると、再び受け付けます。フォームがどのページにあるかをご確認ください。',
    ],
    button: 'フォームを開く',
  }),
  reportsUnproven: ({ project }) => ({
    subject: `${project} に関する報告は証明されていません`,
    paragraphs: [
      `${project} のメールに関するバウンスまたは迷惑メール報告により無効化されるところでしたが、これらの報告は証明されていません。そのメールを持つ人なら誰でも書くことができます。`,
      '報告されたアドレスには今後メールが送信されません。プロジェクトは送信を続けます。受信者がメールの受け取りに同意しているか確認してください。',
    ],
    button: 'レピュテーションを開く',
  }),
  emailRefused: ({ project, refusal, count }) => ({
    subject: `${project} のメールが受信サーバーに拒否されています`,
    paragraphs: [
      {
        blocked: `過去7日間に、${project} のメール${count}通が、送信サーバーまたはドメインの評判のためにブロックされました。同意した人にだけ送信し、反応のないアドレスを削除してください。サーバーがブロックリストに載っている場合は、運営者に解除を依頼してください。`,
        authentication: `過去7日間に、${project} のメール${count}通が、送信者を認証できないために拒否されました。ドメインのページで SPF、DKIM、DMARC のレコードを確認してください。`,
        content: `過去7日間に、${project} のメール${count}通が、内容のために拒否されました。リンク、添付ファイル、文面を確認してください。`,
      }[refusal],
      '該当するアドレスはそのまま残り、プロジェクトは送信を続けます。',
    ],
    button: refusal === 'authentication' ? 'ドメインを開く' : 'レピュテーションを開く',
  }),
  executionsFailed: ({ project, workflow, count, groups }) => ({
    subject: `「${workflow}」の実行が失敗しています`,
    paragraphs: [
      `過去24時間に、プロジェクト ${project} のワークフロー「${workflow}」の実行が ${count} 件失敗しました。多い順：`,
      ...failureLines(groups, (step) => `「${step}」`),
      '原因を修正すると再試行できます。それぞれ失敗したステップから続きます。このメールは1日に最大1回お送りします。',
    ],
    button: '失敗した実行を開く',
  }),
  workflowDisabled: ({ project, workflow, step, failed, visits }) => ({
    subject: `「${workflow}」は無効になりました`,
    paragraphs: [
      `プロジェクト ${project} のワークフロー「${workflow}」は、失敗した実行が多すぎるため無効になりました。ステップ「${step}」で ${visits} 件中 ${failed} 件です。`,
      '新しく入る人はいません。すでに入っている人は続きます。ステップを修正し、失敗した実行を再試行してから、ワークフローを再び有効にしてください。',
    ],
    button: '失敗した実行を開く',
  }),
  campaignPaused: ({ project, campaign, reason, sent, total }) => ({
    subject: `「${campaign}」は一時停止されました`,
    paragraphs: [
      `プロジェクト ${project} のキャンペーン「${campaign}」は、${total} 通中 ${sent} 通を送信した時点で一時停止されました。`,
      guardReasons[reason],
      '再開するまで、それ以上は送信されません。まず受信者を確認してください。残りをキャンセルすることもできます。',
    ],
    button: 'キャンペーンを開く',
  }),
  testUndecided: ({ project, campaign, isMismatch }) => ({
    subject: `「${campaign}」は決定を待っています`,
    paragraphs: [
      `プロジェクト ${project} のキャンペーン「${campaign}」のテストが終了しました。`,
      ...(isMismatch
        ? [
            '各バリエーションの到達数が偶然とは言えないほど偏っているため、内容以外のものが比較された可能性があります。',
          ]
        : []),
      'バリエーションを選ぶまで、テスト対象外の受信者には何も送信されません。残りをキャンセルすることもできます。',
    ],
    button: 'キャンペーンを開く',
  }),
  approvalRequested: ({ project }) => ({
    subject: `${project} でプログラムが承認を求めています`,
    paragraphs: [
      `${project} のキーを使うプログラムが、メールの送信や大きな変更を伴う操作への同意を求めています。決定されるまで何も行われません。`,
    ],
    button: '承認を開く',
  }),
  campaignApprovalRequested: ({ project, campaign }) => ({
    subject: `${project} のキャンペーンが承認を待っています`,
    paragraphs: [
      `${project} のキャンペーン「${campaign}」は、承認を依頼しておらず、最後に変更もしていないオーナーまたは管理者の承認を待っています。承認されるまで送信されません。`,
    ],
    button: '承認を開く',
  }),
  storageLimit: ({ percent, used, limit }) => ({
    subject: percent === 100 ? 'ストレージの上限に達しました' : 'ストレージ上限の80%に達しました',
    paragraphs: [
      `お客様のプロジェクトは、利用可能な${megabytes(limit)}のうち${megabytes(used)}を使用しています。`,
      percent === 100
        ? '空きができるまで、新しい画像、添付ファイル、テンプレート、キャンペーン、インポート、エクスポート、および新しい内容のメールは受け付けられません。受付済みのメールは配信されます。'
        : '上限を超えると、新しい画像、添付ファイル、テンプレート、キャンペーン、インポート、エクスポート、および新しい内容のメールは受け付けられません。',
      '不要になった画像、テンプレート、エクスポートを削除してください。',
    ],
    button: '設定を開く',
  }),
};
