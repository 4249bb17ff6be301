{{- define "modelgate.name" -}}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{- end }}
{{- define "modelgate.selector" -}}
app.kubernetes.io/name: modelgate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "modelgate.meta" -}}
name: {{ include "modelgate.name" . }}
labels:
  {{- include "modelgate.selector" . | nindent 2 }}
  app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- /* What a node of the cluster needs, with the operator's configuration. */}}
{{- define "modelgate.config" -}}
{{- $drain := dict "limits" (dict "drain" (printf "%ds" (int .Values.drainSeconds))) }}
{{- $own := dict "config" "database" "listen" "0.0.0.0:8787" "metrics" (dict "listen" "0.0.0.0:9464") "secrets" (dict "key" "${MODELGATE_SECRETS_KEY}") "console" (dict "secret" "${CONSOLE_SECRET}") }}
{{- toYaml (mergeOverwrite $drain (deepCopy .Values.config) $own) }}
{{- end }}
{{- define "modelgate.image" -}}
"{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
{{- end }}
{{- define "modelgate.kind" -}}{{ ternary "StatefulSet" "Deployment" .Values.data.persistent }}{{- end }}
