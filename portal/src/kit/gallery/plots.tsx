import { Bars, Legend, ShareBar, type BarSeries } from '../bars.tsx'
import { Card } from '../card.tsx'
import { Figures } from '../figures.tsx'
import { Stack } from '../text.tsx'

const series: readonly BarSeries[] = [
  { name: 'delivered', label: 'Delivered', tone: 'info' },
  { name: 'deferred', label: 'Deferred', tone: 'warn' },
  { name: 'lost', label: 'Bounced', tone: 'bad' },
]

const bars = Array.from({ length: 48 }, (_, hour) => ({
  label: `${hour % 24}:00`,
  title: `Hour ${hour}`,
  values: [400 + ((hour * 97) % 210), hour % 7 === 0 ? 60 : 5, hour % 11 === 0 ? 40 : 8],
}))

export const Plots = () => (
  <Stack>
    <Figures
      label="Figures"
      figures={[
        { name: 'accepted', label: 'Accepted', value: '38,214', notes: ['36,744 in the 24 h before'] },
        { name: 'bounced', label: 'Bounced', value: '2.9%', notes: ['Keep it below 2%'], tone: 'bad' },
        { name: 'waiting', label: 'Waiting now', value: '312', notes: ['The oldest for 1.2 hr'], tone: 'warn' },
      ]}
    />
    <Card title="Bars" note={<Legend series={series} />}>
      <Bars label="Bars" series={series} bars={bars} />
    </Card>
    <Card title="Shares">
      <ShareBar label="Delivered 90, deferred 6, bounced 4" series={series} values={[90, 6, 4]} />
    </Card>
  </Stack>
)
