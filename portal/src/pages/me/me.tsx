import { Notice } from '../../kit/notice.tsx'
import { PageBody, PageHead } from '../../kit/page.tsx'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Profile, View } from './profile.tsx'
import { Sessions } from './sessions.tsx'
import { Totp } from './totp.tsx'

export function Page() {
  const { lacksSecondFactor } = useSession()
  return (
    <PageBody isNarrow>
      <PageHead title={words.me.title} />
      {lacksSecondFactor && (
        <Notice tone="warn" title={words.me.needsFactor.title}>
          {words.me.needsFactor.sentence}
        </Notice>
      )}
      <Profile />
      <View />
      <Passkeys />
      <Password />
      <Totp />
      <Sessions />
    </PageBody>
  )
}
