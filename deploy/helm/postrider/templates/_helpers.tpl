{{/* Checked by schema, never run by us. */}}

{{- define "postrider.labels" -}}
app.kubernetes.io/name: postrider
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Called with a list: the context and the name of a component. */}}
{{- define "postrider.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: postrider
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "postrider.image" -}}
{{- $root := index . 0 -}}
image: {{ printf "%s-%s:%s" $root.Values.image.repository (index . 1) ($root.Values.image.tag | default $root.Chart.AppVersion) | quote }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
{{- end }}

{{- define "postrider.env" -}}
- { name: NODE_ENV, value: production }
- { name: MIGRATE, value: manual }
- { name: HOST, value: "::" }
- { name: PORT, value: "3000" }
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "postrider.securityContext" -}}
allowPrivilegeEscalation: false
runAsNonRoot: true
runAsUser: 1000
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end }}
